/** Answers a question again from the last answer, as long as nobody asks another one. */
export type LastAnswer<T> = (question: string, ask: () => Promise<T>) => Promise<T>;

/** Nothing has been asked. An answer that failed is not kept. */
export const keepLastAnswer = <T>(): LastAnswer<T> => {
  let last: { readonly question: string; readonly answer: Promise<T> } | undefined;
  return (question, ask) => {
    if (last?.question === question) return last.answer;
    const asked = { question, answer: ask() };
    last = asked;
    asked.answer.catch(() => {
      if (last === asked) last = undefined;
    });
    return asked.answer;
  };
};
