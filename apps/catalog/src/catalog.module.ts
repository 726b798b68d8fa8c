import { Module } from '@nestjs/common';
import { CatalogConsumer } from './catalog.consumer.ts';

/** All of the service that is not the same in every write service. */
@Module({ controllers: [CatalogConsumer] })
export class CatalogModule {}
