fn main() {
    println!("{}", include_str!("@SECRET@"));
}
