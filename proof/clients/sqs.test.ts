import { proveClient } from '../prove-client.js';

proveClient('sqs');
