import { expect, test } from 'vitest';
import { autostartEntry, autostartFolder } from './autostart-entry.ts';

const execOf = (program: string) => /^Exec=(.*)$/m.exec(autostartEntry('Inspection Desk', program))?.[1];

test('starts the program without its window', () => {
  expect(autostartEntry('Inspection Desk', '/opt/Inspection Desk/inspection-desk')).toBe(
    '[Desktop Entry]\nType=Application\nName=Inspection Desk\nExec="/opt/Inspection Desk/inspection-desk" --hidden\nTerminal=false\n',
  );
});

test('quotes what the key has a meaning for', () => {
  expect(execOf('/home/a$b/100%/"x"')).toBe('"/home/a\\\\$b/100%%/\\\\"x\\\\"" --hidden');
});

test('is where the desktop looks', () => {
  expect(autostartFolder({ XDG_CONFIG_HOME: '/home/anna/.conf' })).toBe('/home/anna/.conf/autostart');
});
