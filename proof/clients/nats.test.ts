import { proveClient } from '../prove-client.js';

proveClient('nats');
