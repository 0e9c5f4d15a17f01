/** `IN_PROGRESS` as "In progress". Anything else is shown as it is: nothing is translated or left out. */
export const codeWords = (value: string): string =>
  /^[A-Z]{2,}(_[A-Z]+)*$/.test(value) ? value.charAt(0) + value.slice(1).toLowerCase().replaceAll('_', ' ') : value;
