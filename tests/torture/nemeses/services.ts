import { services, type Service } from '../../stack/stack.ts';

/** Who of the services a strike names. @throws if it names none: the schedule is not of this nemesis */
export function serviceOf(target: string): Service {
  const service = services.find((name) => name === target);
  if (!service) throw new Error(`A strike at ${target}, which is no service.`);
  return service;
}
