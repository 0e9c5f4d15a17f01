/** Header that carries the control token to the endpoints under /sandbox. */
export const controlHeader = 'x-sandbox-control';
