/** A function that runs tasks one after another, in the order of the calls; a failure concerns only its caller. */
export const createSerial = (): (<T>(task: () => Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => {});
    return result;
  };
};
