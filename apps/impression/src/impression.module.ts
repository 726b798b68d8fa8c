import { Module } from '@nestjs/common';
import { ImpressionConsumer } from './impression.consumer.ts';

/** All of the service that is not the same in every write service. */
@Module({ controllers: [ImpressionConsumer] })
export class ImpressionModule {}
