import type { Library } from '../schema.js';
import axios from './axios.js';
import fetch from './fetch.js';
import nodemailer from './nodemailer.js';

export const effects: Library[] = [
  axios,
  fetch,
  nodemailer,
];
