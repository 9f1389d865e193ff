// The least that the original's users pay: each line of a file parsed, nothing folded, nothing printed.
const lines = require('node:fs').readFileSync(process.argv[2], 'utf8').split('\n');
let parsed = 0;
for (const line of lines) {
  if (line !== '') {
    JSON.parse(line);
    parsed += 1;
  }
}
console.log(parsed);
