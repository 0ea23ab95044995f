/** A range of source text. Offsets count UTF-16 units from 0; lines and columns count from 1. */
export interface Place {
  /** Path relative to the program's root, with forward slashes. */
  file: string;
  start: number;
  end: number;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
}
