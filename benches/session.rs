use slicewise::model::{EndpointSlice, NamespacedName, Pod};
use slicewise::plan::request::{Options, PlanRequest};
use slicewise::session::Session;
use std::error::Error;
use std::io::Write as _;
use std::time::{Duration, Instant};
fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect();
    if args.is_empty() {
        return Ok(());
    }
    let text = std::fs::read_to_string(&args[0])?;
    let events = std::fs::read_to_string(&args[1])?;
    let request: PlanRequest<'_> = serde_json::from_str(&text)?;
    let mut session = Session::new(Options::default());
    let t = Instant::now();
    session.set_service(&request.service);
    for n in &request.nodes {
        session.set_node(n);
    }
    for p in &request.pods {
        session.set_pod(p, "1");
    }
    for s in &request.slices {
        session.set_slice(s);
    }
    println!("load {:?}", t.elapsed());
    let key = NamespacedName {
        namespace: "shop".into(),
        name: "cart".into(),
    };
    let t = Instant::now();
    let n = session.sync_with(&key, |p| p.create.len() + p.update.len() + p.delete.len());
    println!("first sync {:?} {n:?}", t.elapsed());
    let t = Instant::now();
    session.sync_with(&key, |p| p.create.len() + p.update.len() + p.delete.len());
    println!("second sync {:?}", t.elapsed());
    let mut parse = Duration::ZERO;
    let mut set = Duration::ZERO;
    let mut sync = Duration::ZERO;
    let mut ser = Duration::ZERO;
    let mut echo = Duration::ZERO;
    let mut count = 0;
    for _ in 0..std::env::var("LOOPS")
        .ok()
        .and_then(|l| l.parse().ok())
        .unwrap_or(20)
    {
        for line in events.lines() {
            let v: &str = &line["{\"type\":\"MODIFIED\",\"object\":".len()..line.len() - 1];
            let t0 = Instant::now();
            let pod: Pod<'_> = serde_json::from_str(v)?;
            let t1 = Instant::now();
            session.set_pod(&pod, &count.to_string());
            let t2 = Instant::now();
            let mut t3 = t2;
            let bytes = session
                .sync_with(&key, |p| {
                    t3 = Instant::now();
                    assert_eq!(p.update.len(), 1);
                    let b = serde_json::to_vec(p).unwrap();
                    let up = serde_json::to_string(&p.update[0]).unwrap();
                    (b, up)
                })
                .unwrap();
            let t4 = Instant::now();
            let slice: EndpointSlice<'_> = serde_json::from_str(&bytes.1)?;
            session.set_slice(&slice);
            let t5 = Instant::now();
            parse += t1 - t0;
            set += t2 - t1;
            sync += t3 - t2;
            ser += t4 - t3;
            echo += t5 - t4;
            count += 1;
        }
    }
    let us = |d: Duration| d.as_secs_f64() * 1e6 / count as f64;
    writeln!(
        std::io::stdout(),
        "parse {:.1} set {:.1} sync {:.1} serialise(x1.9) {:.1} echo {:.1}",
        us(parse),
        us(set),
        us(sync),
        us(ser),
        us(echo)
    )?;
    Ok(())
}
