/** Ways to answer that any route can be given. */
import type { Attack } from './hostile-service.ts';

/** One byte now and then, and never an end. */
export const drips: Attack = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('[');
  const timer = setInterval(() => response.write(' '), 20);
  response.once('close', () => clearInterval(timer));
};

/** Nothing at all. */
export const staysSilent: Attack = () => {};

/** A refusal, whatever was asked. */
export const refusesWith =
  (status: number): Attack =>
  ({ response }) =>
    void response.writeHead(status, { 'content-length': 0 }).end();
