// undici has types of its index only.
export { Agent, buildConnector, Client, type Dispatcher, errors } from 'undici';
