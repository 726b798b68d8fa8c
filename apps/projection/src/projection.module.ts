import { Module, type DynamicModule } from '@nestjs/common';
import { ProjectionConsumer } from './projection.consumer.ts';
import { TopicFollowers } from './topic-followers.ts';

@Module({ controllers: [ProjectionConsumer] })
export class ProjectionModule {
  /** What lives outside Nest, since the transport needs it too, is handed in. */
  static over(followers: TopicFollowers): DynamicModule {
    return { module: ProjectionModule, providers: [{ provide: TopicFollowers, useValue: followers }] };
  }
}
