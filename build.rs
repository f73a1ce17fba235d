//! Tells the linker how to make a Node-API addon.
fn main() {
    napi_build::setup();
}
