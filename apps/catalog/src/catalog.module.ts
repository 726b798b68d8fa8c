import { Module } from '@nestjs/common';
import { CatalogConsumer } from './catalog.consumer.ts';

@Module({ controllers: [CatalogConsumer] })
export class CatalogModule {}
