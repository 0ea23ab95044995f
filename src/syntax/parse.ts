import { extname } from 'node:path';
import { ts, type Compiler, type Node, type SourceFile } from './compiler.js';
import type { Files } from './files.js';
import { indexOf } from './scope.js';
import type { Place } from '../model/place.js';

/** What earlier runs parsed; used again where the text is still the same. */
export type ParsedFiles = Map<string, SourceFile>;

/** Parses on demand and keeps the result. */
export class Parser {
  private readonly parsed = new Map<string, SourceFile | undefined>();

  constructor(
    private readonly files: Files,
    private readonly known: ParsedFiles = new Map(),
  ) {}

  /** The files that were looked at. */
  get reached(): Iterable<string> {
    return this.parsed.keys();
  }

  parse(file: string): SourceFile | undefined {
    if (this.parsed.has(file)) return this.parsed.get(file);
    const text = this.files.text(file);
    const known = this.known.get(file);
    const source = text === undefined ? undefined : known?.text === text ? known : this.create(file, text);
    this.parsed.set(file, source);
    if (source) this.known.set(file, source);
    if (source) this.reportSyntaxErrors(source);
    return source;
  }

  private create(file: string, text: string): SourceFile | undefined {
    try {
      const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, scriptKind(file));
      // What is too deep for this walk is too deep for all the others.
      indexOf(source);
      return source;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.files.problem(file, 'not analysed: its code is nested too deeply.');
      return undefined;
    }
  }

  private reportSyntaxErrors(source: SourceFile): void {
    // The parser recovers, so the file is analysed all the same; the reader is told that it may be wrong.
    const { parseDiagnostics } = source as SourceFile & { parseDiagnostics?: Compiler.DiagnosticWithLocation[] };
    const first = parseDiagnostics?.[0];
    if (!first) return;
    const { line } = source.getLineAndCharacterOfPosition(first.start);
    this.files.problem(source.fileName, `line ${line + 1}: ${ts.flattenDiagnosticMessageText(first.messageText, ' ')} The rest of the file was analysed as far as it could be read.`);
  }

  place(node: Node): Place {
    const source = node.getSourceFile();
    return this.range(source, node.getStart(source), node.end);
  }

  range(source: SourceFile, start: number, end: number): Place {
    const from = source.getLineAndCharacterOfPosition(start);
    const to = source.getLineAndCharacterOfPosition(end);
    return {
      file: this.files.relative(source.fileName),
      start,
      end,
      line: from.line + 1,
      column: from.character + 1,
      endLine: to.line + 1,
      endColumn: to.character + 1,
    };
  }
}

function scriptKind(file: string): Compiler.ScriptKind {
  switch (extname(file)) {
    case '.tsx':
      return ts.ScriptKind.TSX;
    case '.ts':
    case '.mts':
    case '.cts':
      return ts.ScriptKind.TS;
    default:
      // Plain JavaScript may hold JSX whatever its extension.
      return ts.ScriptKind.JSX;
  }
}
