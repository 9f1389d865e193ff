//! The policy file: what it may say, and the error for everything it may not.

use quittance_driver::Policy;
use quittance_evidence::Requirement;

fn problem(text: &str) -> String {
    Policy::parse(text).unwrap_err().to_string()
}

#[test]
fn a_whole_file_is_read() {
    let policy = Policy::parse(
        r#"
        version = 1
        [contract]
        artifacts = ["dist/out.js", " dist/out.js ", "report.md"]
        required_tools = ["Write"]
        [[contract.requirements]]
        id = " build "
        name = "The release build passes."
        evidence = ["deterministic_verification"]
        [[contract.requirements]]
        id = "docs"
        name = "The docs say so."
        [tools."Bash"]
        verify = ["cargo test"]
        read_only = ["make -n"]
        "#,
    )
    .unwrap();
    assert_eq!(policy.contract.artifacts.paths(), ["dist/out.js", "report.md"]);
    assert_eq!(policy.contract.required_tools, ["Write"]);
    let contract = policy.contract.requirements.unwrap();
    let ids: Vec<&str> = contract.requirements().iter().map(Requirement::id).collect();
    assert_eq!(ids, ["build", "docs"]);
    assert_eq!(contract.requirements()[1].roles().len(), 2);
    assert!(policy.tools.verify["Bash"].contains("cargo test"));
    assert!(policy.tools.read_only["Bash"].contains("make -n"));
}

#[test]
fn a_file_may_declare_nothing() {
    assert_eq!(Policy::parse("version = 1").unwrap(), Policy::default());
    assert!(Policy::parse("version = 1\n[contract]\nartifacts = []\nrequirements = []").is_ok());
}

#[test]
fn every_problem_names_line_key_and_cause() {
    let problems = [
        "",
        "version = 2",
        "version = \"1\"",
        "version = 1\nversion = 1",
        "version = 1\n[contract]\nartefacts = []",
        "version = 1\n[contrat]\n",
        "version = 1\n[verify]\ncommand = []",
        "version = 1\n[contract]\nartifacts = \"dist/out.js\"",
        "version = 1\n[contract]\nartifacts = [\"a\",\n  5]",
        "version = 1\n[contract]\nartifacts = [\" \"]",
        "version = 1\n[contract]\nrequired_tools = [[]]",
        "version = 1\n[[contract.requirements]]\nname = \"x\"",
        "version = 1\n[[contract.requirements]]\nid = \"a\"\nname = \"x\"\nevidence = [\"tests\"]",
        "version = 1\n[[contract.requirements]]\nid = \"a\"\nname = \"x\"\nevidence = []",
        "version = 1\n[[contract.requirements]]\nid = \"a\"\nname = \"x\"\nnome = 1",
        "version = 1\n[[contract.requirements]]\nid = \"a\"\nname = \"x\"\n\
         [[contract.requirements]]\nid = \"a\"\nname = \"y\"",
        "version = 1\ntools = []",
        "version = 1\n[tools.Bash]\nverfy = []",
        "version = 1\n[tools]\nBash = 3",
        "version = \n",
        "verison = 1",
        "version = 1\n[[contract.requirements]]\nid = \"a\"\nnme = \"x\"",
    ]
    .map(problem)
    .join("\n");
    insta::assert_snapshot!(problems, @r"
    line 1: `version`: it is missing
    line 1: `version`: version 2 is not known; this program reads version 1
    line 1: `version`: expected a whole number of 64 bits, found string
    line 2: not TOML: duplicate key
    line 3: `contract.artefacts`: unknown key, did you mean `artifacts`?
    line 2: `contrat`: unknown key, did you mean `contract`?
    line 2: `verify`: unknown key; known here: version, contract, tools
    line 3: `contract.artifacts`: expected a list, found string
    line 4: `contract.artifacts[1]`: expected a text, found integer
    line 3: `contract.artifacts[0]`: it is blank
    line 3: `contract.required_tools[0]`: expected a text, found array
    line 2: `contract.requirements[0].id`: it is missing
    line 5: `contract.requirements[0].evidence[0]`: unknown evidence kind `tests`; known are assistant_output, deterministic_verification and mutation_summary
    line 2: `contract.requirements[0]`: its `evidence_roles` is empty
    line 5: `contract.requirements[0].nome`: unknown key, did you mean `name`?
    line 5: `contract.requirements[1]`: id `a` is already taken by an earlier row
    line 2: `tools`: expected a table, found array
    line 3: `tools.Bash.verfy`: unknown key, did you mean `verify`?
    line 3: `tools.Bash`: expected a table, found integer
    line 1: not TOML: string values must be quoted, expected literal string
    line 1: `verison`: unknown key, did you mean `version`?
    line 4: `contract.requirements[0].nme`: unknown key, did you mean `name`?
    ");
}
