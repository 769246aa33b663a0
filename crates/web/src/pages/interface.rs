//! The page of the interface for programs, generated from its document.

use agon_boards::layout::Page;
use agon_boards::text::{locale, named, rich, t};
use agon_message::Locale;
use axum::response::Response;
use maud::{Markup, html};
use serde_json::{Map, Value};
use utoipa::openapi::OpenApi;

use crate::layout::ShowPage as _;
use crate::problem;
use crate::visitor::Visitor;

/// The methods of a path, in the order of the page.
const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// The interface for programs.
pub(crate) fn show(document: &OpenApi, visitor: &Visitor) -> Response {
    let document = serde_json::to_value(document).unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let body = html! {
        h1 { "API" }
        @if locale() != Locale::English { p.notice { (t!("layout-english-document")) } }
        p {
            (rich!(
                "api-lead",
                document = html! { a href="/api/v1/openapi.json" { (t!("api-document")) } },
                submit = html! { code { "agon submit bot.py --game renju --server URL" } },
            ))
        }
        // What the document says in full is in English, whatever the page's language.
        details open[locale() == Locale::English] {
            summary { (t!("api-in-full")) }
            div lang="en" { (prose(&text(&document["info"]["description"]))) }
        }
        @for tag in document["tags"].as_array().into_iter().flatten() {
            @let name = text(&tag["name"]);
            h2 id={ "tag-" (name) } { code { (name) } }
            p { (marked(&named(&format!("api-tag-{name}"), &text(&tag["description"])))) }
            @for (path, methods) in document["paths"].as_object().into_iter().flatten() {
                @for method in METHODS {
                    @let operation = &methods[method];
                    @if operation["tags"][0] == tag["name"] { (route(method, path, operation)) }
                }
            }
        }
        h2 id="schemas" { (t!("api-schemas")) }
        div lang="en" {
            @for (name, schema) in document["components"]["schemas"].as_object().into_iter().flatten() {
                (shape(name, schema))
            }
        }
        h2 id="problems" { (t!("api-problems")) }
        p { (rich!("api-problems-hint", name = html! { code { "type" } })) }
        dl { @for kind in problem::ALL {
            dt id=(kind.slug) { (kind.status.as_u16()) " " (named(&format!("problem-{}", kind.slug), kind.title)) }
            dd lang="en" { (marked(kind.meaning)) }
        } }
    };
    Page::new("API", body).show(visitor)
}

fn route(method: &str, path: &str, operation: &Value) -> Markup {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let id = text(&operation["operationId"]);
    let summary = named(&format!("api-route-{id}"), &text(&operation["summary"]));
    html! {
        details.card id=(id) lang="en" {
            summary { code { (method.to_uppercase()) " " (path) } span lang=(locale().code()) { " – " (summary) } }
            @if let Some(more) = operation["description"].as_str() { (prose(more)) }
            @if let Some(parameters) = operation["parameters"].as_array() {
                dl { @for parameter in parameters {
                    dt { code { (text(&parameter["name"])) } span.faint { " in the " (text(&parameter["in"])) } }
                    dd { (text(&parameter["description"])) }
                } }
            }
            @if let Some(content) = operation["requestBody"]["content"].as_object() {
                p { "Body: " (contents(content)) }
            }
            dl {
                @for (status, response) in operation["responses"]
                    .as_object()
                    .into_iter()
                    .flatten()
                    .filter(|(status, _)| *status != "default")
                {
                    dt { (status) }
                    dd {
                        (text(&response["description"])) " "
                        @if let Some(content) = response["content"].as_object() { (contents(content)) }
                    }
                }
            }
        }
    }
}

/// The possible contents of a body: its media type, and the schema of JSON.
fn contents(content: &Map<String, Value>) -> Markup {
    html! { @for (at, (kind, body)) in content.iter().enumerate() {
        @if at > 0 { ", " }
        @if kind != "application/json" { code { (kind) } " " }
        (kind_of(&body["schema"]))
    } }
}

/// A schema in a few words, with a link if it has a name.
fn kind_of(schema: &Value) -> Markup {
    let parts = |key: &str| schema[key].as_array().filter(|parts| !parts.is_empty());
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        return html! { a href={ "#schema-" (name) } { (name) } };
    }
    if let Some(parts) = parts("oneOf").or_else(|| parts("allOf")) {
        return html! { @for (at, part) in parts.iter().enumerate() { @if at > 0 { " or " } (kind_of(part)) } };
    }
    if let Some(values) = parts("enum") {
        return html! { @for (at, value) in values.iter().enumerate() { @if at > 0 { " | " } code { (value) } } };
    }
    match &schema["type"] {
        Value::String(kind) if kind == "array" => html! { "list of " (kind_of(&schema["items"])) },
        Value::String(kind) => html! { (kind) },
        Value::Array(kinds) => html! { (kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or ")) },
        _ => html! {},
    }
}

/// A schema with its fields; for one that includes another's, those that it adds.
fn shape(name: &str, schema: &Value) -> Markup {
    let parts = schema["allOf"].as_array().into_iter().flatten().chain([schema]);
    html! {
        details.card id={ "schema-" (name) } {
            summary { (name) }
            @if let Some(more) = schema["description"].as_str() { p { (marked(more)) } }
            @for part in parts {
                @if part["$ref"].is_string() { p { "All of " (kind_of(part)) ", and:" } }
                @else if part["enum"].is_array() { p { (kind_of(part)) } }
                dl { @for (field, kind) in part["properties"].as_object().into_iter().flatten() {
                    dt { code { (field) } span.faint { " " (kind_of(kind)) } }
                    dd { (marked(kind["description"].as_str().unwrap_or_default())) }
                } }
            }
        }
    }
}

fn prose(text: &str) -> Markup {
    html! { @for block in text.split("\n\n") {
        @if block.starts_with("- ") {
            ul { @for line in block.lines() { li { (marked(line.trim_start_matches("- "))) } } }
        }
        @else { p { (marked(block)) } }
    } }
}

/// A text whose words in backquotes are code.
fn marked(text: &str) -> Markup {
    html! { @for (at, part) in text.split('`').enumerate() { @if at % 2 == 1 { code { (part) } } @else { (part) } } }
}
