#!/usr/bin/env node
import { toJson } from '../report/json.js';
import { run } from '../run.js';

const args = process.argv.slice(2);
const preset = args.includes('--preset') && args[args.indexOf('--preset') + 1] === 'strict' ? 'strict' : 'recommended';
const paths = args.filter((a, i) => !a.startsWith('--') && !/^--(preset|format)$/.test(args[i - 1] ?? ''));
const report = run({ root: process.cwd(), ...(paths.length && { paths }), preset });
process.stdout.write(`${toJson(report, { name: 'idempotent-consumers', version: '0.1.0' })}\n`);
process.exitCode = report.handlers.some((h) => h.findings.length) ? 1 : 0;
