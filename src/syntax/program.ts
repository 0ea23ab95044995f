import { loadCompiler, type SourceFile } from './compiler.js';
import type { Files } from './files.js';
import { Parser, type ParsedFiles } from './parse.js';
import { Resolver } from './resolve.js';

/** The sources of one project: reads, parses and resolves on demand. */
export class Sources {
  readonly files: Files;
  readonly parser: Parser;
  readonly resolver: Resolver;

  constructor(files: Files, known?: ParsedFiles) {
    loadCompiler();
    this.files = files;
    this.parser = new Parser(this.files, known);
    this.resolver = new Resolver(this.files);
  }

  /** The source behind an import of `from`, or the name of the library that it is. */
  import(specifier: string, from: SourceFile): { source: SourceFile } | { library: string } {
    const found = this.resolver.resolve(specifier, from.fileName);
    if ('library' in found) return found;
    const source = this.parser.parse(found.file);
    return source ? { source } : { library: specifier };
  }
}
