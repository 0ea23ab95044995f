import type { Output } from './surroundings.js';

const INTERVAL_MS = 80;

/** A line on the terminal that says how far the run is; nothing where nobody watches. */
export function progressOn(stderr: Output): { show: (done: number, of: number) => void; clear: () => void } | undefined {
  if (!stderr.isTTY) return undefined;
  let last = 0;
  return {
    show(done, of) {
      const now = performance.now();
      if (now - last < INTERVAL_MS) return;
      last = now;
      stderr.write(`\r\u001B[KReading ${done + 1} of ${of} files that may hold a handler …`);
    },
    clear: () => stderr.write('\r\u001B[K'),
  };
}
