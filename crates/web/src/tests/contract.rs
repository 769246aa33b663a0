//! The document of the interface, compared with the answers.

use std::collections::{BTreeMap, BTreeSet};

use axum::http::{HeaderMap, Method, StatusCode, header};
use serde_json::{Value, json};

use crate::api;

pub(super) fn document() -> Value {
    serde_json::to_value(api::openapi()).unwrap()
}

/// Whether a path belongs to a route, whose parameters are in braces.
pub(super) fn fits(route: &str, path: &str) -> bool {
    let path = path.split('?').next().unwrap();
    let same = |(route, part): (&str, &str)| route == part || (route.starts_with('{') && !part.is_empty());
    route.split('/').count() == path.split('/').count() && route.split('/').zip(path.split('/')).all(same)
}

/// The path of the route that answers; one without parameters goes before others.
pub(super) fn route_of<'a>(routes: impl Iterator<Item = &'a str>, path: &str) -> Option<&'a str> {
    routes.filter(|route| fits(route, path)).min_by_key(|route| route.matches('{').count())
}

/// The operation that answers a path by a method.
fn operation(document: &Value, method: &Method, path: &str) -> Option<Value> {
    let paths = document["paths"].as_object().unwrap();
    let route = route_of(paths.keys().map(String::as_str), path)?;
    paths[route].get(method.as_str().to_lowercase()).cloned()
}

/// Holds an answer against the document.
pub(super) fn check(method: &Method, path: &str, code: StatusCode, headers: &HeaderMap, text: &str) {
    let document = document();
    let status = code.as_u16().to_string();
    let context = format!("{method} {path} {status}: {text}");
    let operation = operation(&document, method, path);
    let response = operation.as_ref().and_then(|operation| {
        let responses = &operation["responses"];
        responses.get(&status).or_else(|| responses.get("default").filter(|_| code.as_u16() >= 400))
    });
    let Some(response) = response else {
        assert!(operation.is_none() && [404, 405].contains(&code.as_u16()), "the document has no {context}");
        return validate(&document, &json!({ "$ref": "#/components/schemas/Problem" }), text, &context);
    };
    let Some(content) = response["content"].as_object() else {
        return assert!(text.is_empty(), "the document has no body of {context}");
    };
    let kind = headers.get(header::CONTENT_TYPE).map_or("", |kind| kind.to_str().unwrap()).split(';').next().unwrap();
    let body = content.get(kind).unwrap_or_else(|| panic!("the document has no `{kind}` of {context}"));
    if kind.ends_with("json") && !kind.contains("ndjson") {
        validate(&document, &body["schema"], text, &context);
    }
}

fn validate(document: &Value, schema: &Value, text: &str, context: &str) {
    let mut schema = schema.clone();
    schema["components"] = document["components"].clone();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let answer = serde_json::from_str(text).unwrap_or_else(|_| panic!("no JSON: {context}"));
    let wrong: Vec<String> =
        validator.iter_errors(&answer).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(wrong.is_empty(), "{wrong:?} in {context}");
}

/// All operations: method and path.
pub(super) fn operations() -> BTreeSet<(String, String)> {
    let document = document();
    let paths = document["paths"].as_object().unwrap();
    let all = paths.iter().flat_map(|(path, methods)| {
        methods.as_object().unwrap().keys().map(move |method| (method.to_uppercase(), path.clone()))
    });
    all.collect()
}

/// Calls back with every value below a value.
fn walk<'a>(value: &'a Value, found: &mut impl FnMut(&'a Value)) {
    found(value);
    match value {
        Value::Array(all) => all.iter().for_each(|value| walk(value, found)),
        Value::Object(all) => all.values().for_each(|value| walk(value, found)),
        _ => {}
    }
}

#[test]
fn the_document_is_one_of_openapi() {
    let document = document();
    assert_eq!(document["openapi"], "3.1.0");
    // Read by a library that knows the standard and nothing of ours.
    oas3::from_json(document.to_string()).unwrap();
    walk(&document, &mut |value| {
        if let Some(path) = value["$ref"].as_str() {
            assert!(document.pointer(path.strip_prefix('#').unwrap()).is_some(), "{path} leads nowhere");
        }
    });
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        assert!(jsonschema::draft202012::meta::is_valid(schema), "{name} is no schema");
        assert!(schema["description"].is_string(), "{name} is not described");
        for (field, kind) in schema["properties"].as_object().into_iter().flatten() {
            let described = kind["description"].is_string() || kind["$ref"].is_string() || kind["oneOf"].is_array();
            assert!(described, "{name}.{field} is not described");
        }
    }
    let mut ids = BTreeMap::new();
    for (method, path) in operations() {
        let operation = &document["paths"][&path][method.to_lowercase()];
        let context = format!("{method} {path}");
        if let Some(other) = ids.insert(operation["operationId"].as_str().unwrap().to_owned(), context.clone()) {
            panic!("{context} and {other} have one identifier");
        }
        assert!(operation["summary"].is_string(), "{context} is not described");
        for (status, response) in operation["responses"].as_object().unwrap() {
            let described = response["description"].as_str().is_some_and(|words| !words.is_empty());
            assert!(described, "{context} {status} is not described");
        }
        let tags: Vec<&Value> = document["tags"].as_array().unwrap().iter().map(|tag| &tag["name"]).collect();
        assert!(tags.contains(&&operation["tags"][0]), "{context} is in no group");
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        let in_path = parameters.iter().filter(|parameter| parameter["in"] == "path");
        let named: BTreeSet<&str> = in_path.map(|parameter| parameter["name"].as_str().unwrap()).collect();
        let wanted = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
        assert_eq!(named, wanted.collect(), "{context}");
        assert!(parameters.iter().all(|parameter| parameter["description"].is_string()), "{context}");
    }
}
