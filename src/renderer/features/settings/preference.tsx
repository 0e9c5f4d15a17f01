/** Settings that take effect immediately. */
import type { ManagedPath, Preferences } from '../../../contract/preferences.ts';
import { SettingChoice } from '../../domain/setting-choice.tsx';
import { useAction, useDesk, useSnapshot } from '../../state/context.tsx';

/** A preference, and the function that changes it. */
export const usePreference = <Name extends keyof Preferences>(
  name: Name,
): readonly [Preferences[Name], (value: Preferences[Name]) => void] => {
  const { preferences } = useDesk();
  const value = useSnapshot((snapshot) => snapshot.preferences[name]);
  const set = useAction((changed: Preferences[Name]) => preferences.set({ [name]: changed }));
  return [value, set.run];
};

/** The preferences with one of a few values. */
type ChoiceName = Extract<
  keyof Preferences,
  'cacheLimitMegabytes' | 'concurrency' | 'dateFormat' | 'formats' | 'language' | 'leaveRoom' | 'logLevel' | 'timeBase'
>;

type PreferenceChoiceProps<Name extends ChoiceName> = {
  readonly name: Name;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly path?: ManagedPath;
  readonly values: readonly Preferences[Name][];
  readonly nameOf: (value: Preferences[Name]) => string;
};

/** A choice of a preference. */
export const PreferenceChoice = <Name extends ChoiceName>({ name, ...choice }: PreferenceChoiceProps<Name>) => {
  const [value, set] = usePreference(name);
  return <SettingChoice {...choice} value={value} onChoose={set} />;
};
