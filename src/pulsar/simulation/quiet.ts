/** How long nothing must move before one can say that nothing will. */
import type { CheckedQuestion } from './check.js'

/** Steps in which a grace period, a hit count or a cool-down can hold back what is still to come, and one more. */
export function quietWindow({ settings, loadManager, shedder }: CheckedQuestion): number {
  const interval = settings.loadBalancerSheddingIntervalMinutes
  const grace = Math.ceil(settings.loadBalancerSheddingGracePeriodMinutes / interval)
  if (loadManager === 'extensible') {
    const delay = Math.ceil(settings.loadBalanceSheddingDelayInSeconds / 60 / interval)
    return grace + delay + settings.loadBalancerSheddingConditionHitCountThreshold + 2
  }
  return grace + (shedder === 'AvgShedder' ? settings.loadBalancerAvgShedderHitCountLowThreshold : 0) + 1
}
