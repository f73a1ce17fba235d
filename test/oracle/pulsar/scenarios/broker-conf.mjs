// broker.conf: what java.util.Properties makes of a text, and what the broker makes of a value.

const INT = 'loadBalancerBrokerThresholdShedderPercentage'
const LIST = 'loadBalancerSheddingExcludedNamespaces'
const REST = 'clusterName=c\nmetadataStoreUrl=zk:z\n'

const VALUES = {
  [INT]: ['12', ' 12 ', '+12', '-1', '007', '', ' ', '12.5', '0x10', '1_0', '2147483647', '2147483648', '12 # note'],
  maxUnloadPercentage: ['0.4', '.4', '4.', '4e-1', '0.4d', '0.4F', '+0.4', '', '40%', '0,4', 'four'],
  lowerBoundarySheddingEnabled: ['true', 'TRUE', 'True ', 'yes', '1', 'on', '', 'false', 'tru'],
  loadBalancerTransferEnabled: ['', 'no', 'off', 'true', '1'],
  [LIST]: ['a/b', 'a/b,c/d', 'a/b, c/d', ' a/b ,c/d ', '', 'a/b,', 'a/b,a/b'],
  loadBalanceSheddingDelayInSeconds: ['10', '10L', '2147483648', ''],
  maxUnloadBundleNumPerShedding: ['-1', '3'],
}

const FORMS = [
  `${INT}=12`, `${INT} = 12`, `${INT}:12`, `${INT} 12`, `${INT}\t=\t12`, `${INT}==12`, `${INT} = = 12`, `  ${INT}=12`, `${INT}`, `${INT}=`, `=12`, `other\\=${INT}=12`, `other\\ ${INT}=12`, `other\\:b 1\n${INT}=12`,
  `#${INT}=12`, `!${INT}=12`, `  # ${INT}=12`, `# a \\\n${INT}=12`, `${INT}=1\\\n2`, `${INT}=1\\\n   2`, `${INT}=1\\\r\n\t2`, `${INT}=12\\\n`, `${INT}=12\\\n\nmaxUnloadPercentage=0.4`, `${INT}=1\\\n#2`,
  `${INT}=12\\`, `${INT}=12\\\\`, `${INT}=\\u0031\\u0032`, `\\u006coadBalancerBrokerThresholdShedderPercentage=12`, `${INT}=\\u31`, `${INT}=\\uXYZW`, `${INT}=\\1\\2`, `${INT}=1\\t2`, `${INT}=\\t12\\n`,
  `${INT}=12\r${INT}=13\r\n`, `${INT}=12\n${INT}=13`, `${INT}=13\n${INT}=`, `\f${INT}=12`, `x=\xe9\n${INT}=12`, `${INT}\\\n   =12`, `loadBalancer\\\n   BrokerThresholdShedderPercentage=12`, '\n\n \n', '',
]

const IN = ['loadBalancerBandwithInResourceWeight', 'loadBalancerBandwidthInResourceWeight']
const WEIGHTS = [[0.5], [undefined, 0.5], [0.5, 0.7], [0.7, 1], [1, 0.7], [0.5, 0.5]]

export function brokerConf() {
  const ask = (text, ...names) => ({ op: 'broker-conf', text: `${REST}${text}`, names })
  return [
    ...Object.entries(VALUES).flatMap(([name, values]) => values.map((value) => ask(`${name}=${value}\n`, name))),
    ...FORMS.map((text) => ask(text, INT)),
    ...WEIGHTS.map((weights) => ask(weights.map((weight, i) => (weight === undefined ? '' : `${IN[i]}=${weight}\n`)).join(''), IN[1])),
  ]
}
