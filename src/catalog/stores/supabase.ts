import { defineLibrary, type BuilderMethod, type Shape } from '../schema.js';
import { alike } from './alike.js';

/** Nothing throws: the result is `{ data, error }`, unless `.throwOnError()` is in the chain. */
const table: Shape = { call: { effect: { kind: 'read', table: '0', failureIn: 'error' }, returns: 'PostgrestQueryBuilder' } };
/** A database function: whether it writes cannot be seen. */
const rpc: Shape = { call: { effect: { kind: 'write', table: '0', data: '1', failureIn: 'error' }, returns: 'RpcBuilder' } };
const external: Shape = { call: { effect: { kind: 'external', failureIn: 'error' } } };
const read: Shape = { call: { effect: { kind: 'read', failureIn: 'error' } } };

const builder: Shape = {
  builder: {
    table: '0',
    methods: {
      select: { returning: true },
      insert: { kind: 'insert', data: '0' },
      update: { kind: 'absolute', data: '0' },
      /** With `ignoreDuplicates: true` only the rows that were inserted come back. */
      upsert: { kind: 'upsert', data: '0', where: ['1.onConflict'], ignores: '1.ignoreDuplicates' },
      delete: { kind: 'delete' },
      ...alike<BuilderMethod>('eq neq gt gte lt lte is in match filter contains', { where: ['0', '1', '2'] }),
      ...alike<BuilderMethod>('then', { ends: true }),
    },
    result: { fresh: { 'data.length': 1, count: 1 }, duplicate: { 'data.length': 0, count: 0 } },
  },
};

const client: Shape = {
  extendable: true,
  members: {
    from: table,
    schema: { call: { returns: 'this' } },
    rpc,
    functions: { members: { invoke: external } },
    auth: {
      members: {
        getUser: read,
        getSession: read,
        admin: { members: { getUserById: read, listUsers: read }, anyMember: external },
      },
      anyMember: external,
    },
    storage: { members: { from: { call: { returns: 'StorageFileApi' } } } },
  },
};

/** @supabase/supabase-js 2.119. No transactions on the client's side, and no relative updates but through `rpc`. */
export default defineLibrary({
  name: '@supabase/supabase-js',
  packages: ['@supabase/supabase-js', '@supabase/ssr', '@supabase/postgrest-js'],
  exports: {
    createClient: { call: { returns: 'SupabaseClient' } },
    createServerClient: { call: { returns: 'SupabaseClient' } },
    PostgrestClient: { construct: { returns: 'SupabaseClient' } },
  },
  types: {
    SupabaseClient: client,
    PostgrestQueryBuilder: builder,
    RpcBuilder: { members: alike<Shape>('single maybeSingle throwOnError select eq', { call: { returns: 'this' } }) },
    StorageFileApi: {
      members: {
        ...alike<Shape>('upload update', { call: { effect: { kind: 'external', idempotentBy: '0', data: '1', failureIn: 'error' } } }),
        ...alike<Shape>('move copy', { call: { effect: { kind: 'external', idempotentBy: '1', failureIn: 'error' } } }),
        remove: { call: { effect: { kind: 'external', idempotentBy: '0', failureIn: 'error' } } },
        ...alike('download list createSignedUrl createSignedUrls exists info', read),
        getPublicUrl: { call: { derives: true } },
      },
    },
  },
});
