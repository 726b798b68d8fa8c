import { Module } from '@nestjs/common';
import { ProfileConsumer } from './profile.consumer.ts';

/** All of the service that is not the same in every write service. */
@Module({ controllers: [ProfileConsumer] })
export class ProfileModule {}
