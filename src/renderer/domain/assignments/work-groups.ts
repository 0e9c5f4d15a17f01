/** The groups of the work list in words. Apart from its columns, which the first screen loads later. */
import type { WorkGroup } from '../../../contract/assignments.ts';
import { t } from '../../words/words.ts';

export const groupName = (group: WorkGroup): string => t(`work.groups.${group}`);

/** What a group has, in a sentence. */
export const groupHint = (group: WorkGroup): string => t(`work.hints.${group}`);
