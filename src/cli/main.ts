#!/usr/bin/env node
import { command } from './command.js';

// `idempotent-consumers | head` closes the pipe early; that is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

// Never `process.exit`: it would cut off a long report that is still on its way through a pipe.
process.exitCode = await command(process.argv.slice(2), {
  cwd: currentFolder(),
  stdout: process.stdout,
  stderr: process.stderr,
  // Opened only when something is asked: an open input keeps the process alive.
  get stdin() {
    return process.stdin;
  },
  env: process.env,
});

function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    // The folder was removed under our feet; the command says so when it finds nothing there.
    return process.env.PWD ?? '/nonexistent';
  }
}
