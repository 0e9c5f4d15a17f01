/** `work` for a timer or an event, where nobody would catch what it throws: `onError` receives that. */
export const reporting =
  (work: () => void, onError: (error: unknown) => void): (() => void) =>
  () => {
    try {
      work();
    } catch (error) {
      onError(error);
    }
  };
