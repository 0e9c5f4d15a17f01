/** A function that runs tasks one after another, in the order they were given; one's failure is its caller's only. */
export const createSerial = (): (<T>(task: () => Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => {});
    return result;
  };
};
