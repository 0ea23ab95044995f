import { defineLibrary, type Call, type Library, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

const nothing: Call = {};
const read: Call = { effect: { kind: 'read' } };
/** The same file under the same name is one file. */
const by = (idempotentBy: string): Call => ({ effect: { kind: 'external', idempotentBy } });

function client(name: string, exported: string, calls: Record<string, Call>): Library {
  const made: Shape = { construct: { returns: 'Client' } };
  const members = Object.fromEntries(Object.entries(calls).map(([method, call]): [string, Shape] => [method, { call }]));
  return defineLibrary({ name, packages: [name], exports: { [exported]: made }, types: { Client: { extendable: true, members } } });
}

/** basic-ftp 5.0: `uploadFrom(source, remotePath)`. */
export const basicFtp = client('basic-ftp', 'Client', {
  ...alike('uploadFrom uploadFromDir', by('1')),
  ...alike('remove removeDir ensureDir', by('0')),
  rename: by('1'),
  appendFrom: { effect: { kind: 'external' } },
  ...alike('list size lastMod pwd downloadTo downloadToDir', read),
  ...alike('access connect cd close', nothing),
});

/** ssh2-sftp-client 12: `put(source, remotePath)`. */
export const ssh2SftpClient = client('ssh2-sftp-client', 'default', {
  ...alike('put fastPut uploadDir rename rcopy', by('1')),
  ...alike('delete mkdir rmdir', by('0')),
  append: { effect: { kind: 'external' } },
  ...alike('list exists stat get fastGet', read),
  ...alike('connect end', nothing),
});
