import { v5 } from 'uuid';

/** The id of a command's event at this index: a function of the command, so a repeat cannot make another. */
export const eventId = (commandId: string, index: number): string => v5(String(index), commandId);
