// The kind of job that does orders for many users.
import { withFailureLog } from '../../logs/failing.ts';
import type { Order } from './order.ts';
import type { UserActions } from './user-actions.ts';

export interface OrdersUse {
  readonly userActions: Pick<UserActions, 'work'>;
}

export const userActionsJob = withFailureLog<Order, OrdersUse>({
  name: 'security-suite.user-actions',
  about: 'Signs many users out, has them choose new passwords, adds them to groups',
  serving: true,
  writes: ['user', 'secsuite_group_members'],
  attempts: 5,
  lane: { name: 'security-suite.user-actions', atOnce: 1 },
  run: (order, work, { userActions }) => userActions.work(order, work),
});
