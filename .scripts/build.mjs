import { build } from './lib/build.mjs';

build();
