import { proveClient } from '../prove-client.js';

proveClient('lambda');
