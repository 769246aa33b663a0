fn choose(free: &[i32]) -> i32 {
    free[9]
}
fn main() {
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        if line.starts_with('R') { println!("OK"); }
        if line.starts_with('T') { choose(&[]); }
    }
}
