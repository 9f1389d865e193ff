//! A packed file reads as what it unpacks to; one that is cut or damaged, as far as it goes.

use std::fs;
use std::io::{BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use proptest::prelude::*;
use quittance_hosts::{Input, LineCause, ReadError, ReadOptions, Records, Session, Waiting, read};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use crate::describe::describe;

fn pack(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

fn unpacked(bytes: &[u8]) -> Result<Session<Records>, ReadError> {
    let input = Input::open(Cursor::new(bytes)).unwrap();
    read(BufReader::new(input), ReadOptions::default())
}

/// A rollout of some length.
fn rollout() -> Vec<u8> {
    let case = "../../golden/codex/steer_typed_one_steer/transcript.jsonl";
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(case)).unwrap()
}

#[test]
fn a_packed_file_reads_as_the_plain_one() {
    let plain = rollout();
    let told = describe(&unpacked(&plain).unwrap());
    assert_eq!(describe(&unpacked(&pack(&plain)).unwrap()), told);
    // Frames in a row are one file, and one that may be skipped holds nothing.
    let (one, other) = plain.split_at(plain.len() / 3);
    let skipped = [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
    let frames = [pack(one), skipped, pack(other)].concat();
    assert_eq!(describe(&unpacked(&frames).unwrap()), told);
}

#[test]
fn a_cut_file_is_read_as_far_as_it_goes() {
    let plain = rollout();
    // Many small frames, so that something can be read before the cut.
    let frames: Vec<Vec<u8>> = plain.split_inclusive(|byte| *byte == b'\n').map(pack).collect();
    let whole = frames.concat();
    let ends: Vec<usize> = frames
        .iter()
        .scan(0, |end, frame| {
            *end += frame.len();
            Some(*end)
        })
        .collect();
    let rows = unpacked(&plain).unwrap().turn.rows.0;
    for cut in 4..whole.len() {
        let lines = ends.iter().filter(|end| **end <= cut).count() as u64;
        match unpacked(&whole[..cut]) {
            _ if ends.contains(&cut) => {}
            Ok(session) => {
                assert!(
                    session.source.half_written && session.waiting.contains(&Waiting::HalfWritten)
                );
                let issue = session.source.issues.last().unwrap();
                assert_eq!(issue.cause, LineCause::PackedCut, "{cut}");
                // A frame may lack nothing but its end.
                assert!((lines + 1..=lines + 2).contains(&issue.line.0), "{cut}");
                assert!(rows.starts_with(&session.turn.rows.0), "{cut}");
            }
            Err(ReadError::Packed { cause, .. }) => assert_eq!(cause, LineCause::PackedCut),
            Err(error) => panic!("{cut}: {error}"),
        }
    }
}

#[test]
fn what_a_cut_frame_holds_back_is_read_as_well() {
    let plain = rollout().repeat(60);
    let packed = pack(&plain);
    let mut text = Vec::new();
    let mut input = Input::open(Cursor::new(&packed[..packed.len() - 5])).unwrap();
    let error = input.read_to_end(&mut text).unwrap_err();
    insta::assert_snapshot!(error, @"the packed file ends inside a frame");
    assert!(plain.starts_with(&text) && text.len() > plain.len() / 2, "{}", text.len());
    assert_eq!(input.seek(SeekFrom::End(0)).unwrap(), text.len() as u64);
}

#[test]
fn a_file_that_unpacks_to_a_memory_full_is_refused() {
    let session = unpacked(&pack(&vec![b' '; 200 << 20]));
    insta::assert_snapshot!(session.unwrap_err(), @"unpack a transcript: line 1 cannot be read (packed_too_large)");
    // A frame that asks for a window of 2 GiB.
    let window = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 1, 0, 0];
    insta::assert_snapshot!(unpacked(&window).unwrap_err(), @"unpack a transcript: line 1 cannot be read (packed_too_large)");
    insta::assert_snapshot!(unpacked(&window[..5]).unwrap_err(), @"unpack a transcript: line 1 cannot be read (packed_cut)");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_damage_panics_and_none_goes_unsaid(at in any::<prop::sample::Index>(), by in 1_u8..) {
        let plain = rollout();
        let mut packed = pack(&plain);
        let at = 4 + at.index(packed.len() - 4);
        packed[at] ^= by;
        match unpacked(&packed) {
            Ok(session) => {
                let told = describe(&session);
                let same = told == describe(&unpacked(&plain).unwrap());
                prop_assert!(same || session.source.half_written, "{told:#}");
            }
            Err(error) => prop_assert!(matches!(error, ReadError::Packed { .. }), "{error}"),
        }
    }

    #[test]
    fn going_anywhere_reads_what_stands_there(
        moves in proptest::collection::vec((any::<prop::sample::Index>(), 0_usize..300), 1..8),
    ) {
        let plain = rollout();
        let mut input = Input::open(Cursor::new(pack(&plain))).unwrap();
        for (at, length) in moves {
            let at = at.index(plain.len() + 1);
            input.seek(SeekFrom::Start(at as u64)).unwrap();
            let mut piece = Vec::new();
            input.by_ref().take(length as u64).read_to_end(&mut piece).unwrap();
            prop_assert_eq!(&piece[..], &plain[at..(at + length).min(plain.len())]);
            prop_assert_eq!(input.seek(SeekFrom::End(0)).unwrap(), plain.len() as u64);
        }
    }
}
