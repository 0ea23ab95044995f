import { proveClient } from '../prove-client.js';

proveClient('kafkajs');
