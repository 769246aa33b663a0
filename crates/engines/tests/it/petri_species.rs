//! The native species compared with the answers of reconstructions in their original languages.

use std::collections::BTreeMap;

use agon_engines::petri::PetriProgram;
use agon_rules::petri::Scene;
use serde_json::Value;

const ANSWERS: &str = include_str!("../data/petri/species.jsonl");

/// The outputs a program can give for an input, with their chances.
fn possible(program: &dyn PetriProgram, input: &str) -> BTreeMap<String, f64> {
    let scene = Scene::read(input.as_bytes()).expect("an input");
    let mut outputs = BTreeMap::new();
    for (answer, chance) in program.choose(&scene.sight()).answers() {
        *outputs.entry(answer.to_string().trim().to_owned()).or_insert(0.0) += chance;
    }
    outputs
}

/// Checks one line: the listed outputs are possible and as frequent as they should be; possible outputs are listed,
/// unless so few samples may well have missed them.
fn check(line: &Value) -> Result<(), String> {
    let text = |key: &str| line[key].as_str().expect("a text");
    let (name, input) = (text("species"), text("input"));
    let possible = possible(agon_catalog::petri::program(name).expect("a species"), input);
    let samples = line["samples"].as_u64().expect("a number") as f64;
    let seen = line["outputs"].as_object().expect("outputs");
    let complain = |what: String| Err(format!("{name}: {what}\n{input}\nseen {seen:?}\npossible {possible:?}\n"));
    if let Some(output) = seen.keys().find(|output| !possible.contains_key(output.as_str())) {
        return complain(format!("`{output}` is not possible"));
    }
    for (output, chance) in &possible {
        let count = seen.get(output).and_then(Value::as_u64).unwrap_or(0) as f64;
        let deviation = (samples * chance * (1.0 - chance)).sqrt();
        if (count - samples * chance).abs() > 5.0 * deviation + 1e-9 {
            return complain(format!("`{output}` seen {count} times, not about {}", samples * chance));
        }
    }
    Ok(())
}

#[test]
fn every_recorded_answer_is_given() {
    let lines: Vec<Value> = ANSWERS.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 2611);
    let failures: Vec<String> = lines.iter().filter_map(|line| check(line).err()).collect();
    assert!(
        failures.is_empty(),
        "{} of {} lines:\n{}",
        failures.len(),
        lines.len(),
        failures[..failures.len().min(12)].join("\n")
    );
}
