/** The calls of the contract that show and change the matching rules. */

import type { Handlers } from '../../../contract/calls.ts';
import { DeskError } from '../../../contract/errors.ts';
import { assignmentName } from '../../../contract/resources.ts';
import { plainWords } from '../../matching/names.ts';
import type { HandlerParts } from './handler-parts.ts';

export const createRuleHandlers = ({ rules, cache, connections }: HandlerParts): Handlers['rules'] => {
  const connectionId = (): string => connections.connected().connectionId;
  return {
    list: ({ text = '', offset, limit }) => {
      const words = plainWords(text);
      const known = rules.list(connectionId()).map(({ nameKey: _, parent: __, ...rule }) => {
        const assignment = cache.assignment(connectionId(), rule.AssignmentId)?.assignment;
        return { ...rule, ...(assignment && { assignment }) };
      });
      const found = known.filter(({ name, assignment }) => {
        const folded = plainWords(`${name} ${assignment ? assignmentName(assignment) : ''}`).join(' ');
        return words.every((word) => folded.includes(word));
      });
      return { rules: found.slice(offset, offset + limit), total: found.length };
    },
    set: (change) => {
      // A rule for an assignment that nobody knows would match nothing, and nothing would say so.
      if (!cache.assignment(connectionId(), change.AssignmentId))
        throw new DeskError('input/invalid', 'there is no such assignment', { details: { field: 'AssignmentId' } });
      if (rules.set(connectionId(), change)) return connections.connected().watchedFolders.matchAgain();
      throw new DeskError('input/invalid', 'there is no such rule', { details: { field: 'ruleId' } });
    },
    remove: ({ ruleIds }) => rules.remove(connectionId(), ruleIds),
    clear: () => rules.clear(connectionId()),
  };
};
