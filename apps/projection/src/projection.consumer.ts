import type { BatchResult, ReceivedMessage } from '@paywright/messaging';
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { followedTopics } from './projections.ts';
import { TopicFollowers } from './topic-followers.ts';

/** The events of all services → the read models. The transport mirrors dead letters, then moves Kafka's offset. */
@Controller()
export class ProjectionConsumer {
  constructor(private readonly followers: TopicFollowers) {}

  @MessagePattern([...followedTopics])
  handle(@Payload() messages: readonly ReceivedMessage[]): Promise<BatchResult> {
    return this.followers.handle(messages);
  }
}
