/** The parts of the help that commander writes in English, in the language of the command line. */
import { Help, type HelpConfiguration } from 'commander';
import type { Translate } from './support/refusal.ts';

/** How commander writes the help in the language of `t`. Names of options and commands stay. */
export const helpWords = (t: Translate): HelpConfiguration => {
  const headings: Readonly<Record<string, string>> = {
    'Usage:': t('help.heading.usage'),
    'Arguments:': t('help.heading.arguments'),
    'Options:': t('help.heading.options'),
    'Global Options:': t('help.heading.globalOptions'),
    'Commands:': t('help.heading.commands'),
  };
  const english = new Help();
  const inWords = (usage: string): string =>
    usage.replace('[options]', `[${t('help.term.options')}]`).replace('[command]', `[${t('help.term.command')}]`);
  return {
    showGlobalOptions: true,
    styleTitle: (title) => headings[title] ?? title,
    commandUsage: (command) => inWords(english.commandUsage(command)),
    subcommandTerm: (command) => inWords(english.subcommandTerm(command)),
    optionDescription: ({ description, argChoices }) =>
      argChoices === undefined
        ? description
        : `${description} (${t('help.choices', { choices: argChoices.map((choice) => JSON.stringify(choice)).join(', ') })})`,
  };
};
