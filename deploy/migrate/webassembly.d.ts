/** The part of WebAssembly that schema-engine.ts uses; the whole is in lib.dom, which a server has no use for. */
declare namespace WebAssembly {
  class Module {
    readonly #module;
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>);
    readonly exports: Record<string, unknown>;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
}
