import { Controller, Get, HttpCode, Param, Post, Query as QueryOf } from '@nestjs/common';
import { DiscardDeadLetter, RetryDeadLetter } from '@paywright/contracts';
import { CommandClient } from '@paywright/messaging';
import { DeadLetterQueries } from '@paywright/read-model';
import { accepted } from '../../commands/accepted.ts';
import { commandFrom } from '../../commands/command-from.ts';
import { writeDeadlineMs } from '../write-deadline.ts';
import { Answer } from '../../http/answer.ts';
import { ApiError } from '../../http/api-error.ts';
import { AuthorOf, type Author } from '../access/admin-caller.ts';
import { numberInPath } from '../number-in-path.ts';
import { listAnswer, pageRequest, type Query } from '../listing.ts';
import { deadLetterFilter } from './dead-letter-filter.ts';
import { deadLetterInFull, deadLetterView, parkedKeyView } from './dead-letter-view.ts';

/** Commands about dead letters are of no app. */
const noApp = 0;

/** What nobody could handle, what waits behind it, and what is to be done about it. */
@Controller('admin/v1/dead-letters')
export class DeadLettersController {
  constructor(
    private readonly letters: DeadLetterQueries,
    private readonly commands: CommandClient,
  ) {}

  @Get()
  list(@QueryOf() query: Query) {
    return listAnswer(this.letters.list(deadLetterFilter(query), pageRequest(query)), deadLetterView);
  }

  @Get('parked')
  parked(@QueryOf() query: Query) {
    const { group, topic } = deadLetterFilter(query);
    return listAnswer(this.letters.parked({ group, topic }, pageRequest(query)), parkedKeyView);
  }

  @Get(':deadLetterId')
  async read(@Param('deadLetterId') deadLetterId: string): Promise<Answer> {
    const letter = await this.letters.find(idOf(deadLetterId));
    if (letter === null) throw unknownLetter();
    return new Answer(deadLetterInFull(letter));
  }

  @Post(':deadLetterId/retry')
  @HttpCode(200)
  retry(@AuthorOf() author: Author, @Param('deadLetterId') deadLetterId: string): Promise<Answer> {
    return this.#act(RetryDeadLetter, author, deadLetterId);
  }

  @Post(':deadLetterId/discard')
  @HttpCode(200)
  discard(@AuthorOf() author: Author, @Param('deadLetterId') deadLetterId: string): Promise<Answer> {
    return this.#act(DiscardDeadLetter, author, deadLetterId);
  }

  /** The projection keeps the dead letters: it alone acts on them, and its reply is what came of it. */
  async #act(
    definition: typeof RetryDeadLetter | typeof DiscardDeadLetter,
    author: Author,
    deadLetterId: string,
  ): Promise<Answer> {
    const id = idOf(deadLetterId);
    const body = { actor: author.actor, deadLetterId: id };
    const asked = { appId: noApp, key: String(id), body, deadlineMs: writeDeadlineMs };
    return new Answer(accepted(await this.commands.send(definition, commandFrom(author, asked))).body);
  }
}

const unknownLetter = () => new ApiError('DEAD_LETTER_NOT_FOUND', 'deadLetterId names no dead letter.');

const greatestLetterId = 1e15 - 1;

/** @throws ApiError DEAD_LETTER_NOT_FOUND */
const idOf = (text: string): number => numberInPath('deadLetterId', text, greatestLetterId, unknownLetter());
