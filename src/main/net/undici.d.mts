// undici has types only for its index.
export { Agent, buildConnector, Client, type Dispatcher, errors } from 'undici';
