package oracle;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.when;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.broker.loadbalance.ModularLoadManagerStrategy;
import org.apache.pulsar.broker.loadbalance.impl.LoadManagerShared;
import org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl;
import org.apache.pulsar.broker.loadbalance.impl.SimpleResourceAllocationPolicies;
import org.apache.pulsar.broker.namespace.NamespaceService;
import org.apache.pulsar.broker.resources.LocalPoliciesResources;
import org.apache.pulsar.broker.resources.NamespaceResources;
import org.apache.pulsar.broker.resources.PulsarResources;
import org.apache.pulsar.common.naming.NamespaceBundle;
import org.apache.pulsar.common.naming.NamespaceName;
import org.apache.pulsar.common.policies.data.AutoFailoverPolicyData;
import org.apache.pulsar.common.policies.data.AutoFailoverPolicyType;
import org.apache.pulsar.common.policies.data.LocalPolicies;
import org.apache.pulsar.common.policies.data.NamespaceIsolationData;
import org.apache.pulsar.common.policies.data.NamespaceIsolationDataImpl;
import org.apache.pulsar.common.policies.impl.NamespaceIsolationPolicies;
import org.apache.pulsar.metadata.api.coordination.LockManager;
import org.apache.pulsar.policies.data.loadbalancer.BrokerData;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.apache.pulsar.policies.data.loadbalancer.ResourceUsage;

/** The modular load manager's own pipeline, over a cluster that a request gives: who is a candidate, and may a bundle be unloaded. */
final class Candidates {
    private Candidates() {}

    static void register(Map<String, Op> ops) {
        ops.put("bundle-candidates", Candidates::ask);
    }

    /**
     * "brokers": name to {cpu: percent, topics}; "owned": bundle to broker; "isolation": [{name, namespaces, primary, secondary, minLimit}];
     * "groups": namespace to its anti-affinity group; "domains": broker to its failure domain; "bundles": those asked for. Each answer
     * has the sets that the strategy was asked with, which picks the first by name, and whether its owner may unload the bundle.
     */
    private static Object ask(JsonNode request) throws Throwable {
        ServiceConfiguration config = Splits.config(request.path("config"));
        List<Set<String>> asked = new ArrayList<>();
        ModularLoadManagerImpl manager = manager(request, config, asked);
        List<Object> answers = new ArrayList<>();
        for (String bundle : Json.strings(request.get("bundles"))) {
            int slash = bundle.lastIndexOf('/');
            NamespaceBundle unit = Broker.get().bundles.getBundle(bundle.substring(0, slash), bundle.substring(slash + 1));
            asked.clear();
            Late.call(manager, "selectBroker", unit);
            Map<String, Object> answer = Json.map("candidates", new ArrayList<>(asked));
            if (request.get("owned").has(bundle)) {
                answer.put("mayUnload", mayUnload(manager, unit, request.get("owned").get(bundle).textValue()));
            }
            answers.add(answer);
        }
        return answers;
    }

    private static boolean mayUnload(ModularLoadManagerImpl manager, NamespaceBundle bundle, String broker) {
        String namespace = bundle.getNamespaceObject().toString();
        String range = bundle.getBundleRange();
        return manager.shouldNamespacePoliciesUnload(namespace, range, broker)
                && manager.shouldAntiAffinityNamespaceUnload(namespace, range, broker);
    }

    private static ModularLoadManagerImpl manager(JsonNode request, ServiceConfiguration config, List<Set<String>> asked) throws Throwable {
        PulsarService pulsar = pulsar(request, config);
        ModularLoadManagerImpl manager = new ModularLoadManagerImpl();
        ((java.util.concurrent.ExecutorService) Late.get(manager, "executors")).shutdownNow();
        Late.set(manager, "conf", config);
        Late.set(manager, "pulsar", pulsar);
        Late.set(manager, "policies", new SimpleResourceAllocationPolicies(pulsar));
        Late.set(manager, "brokersData", brokersData(request));
        Late.set(manager, "placementStrategy", (ModularLoadManagerStrategy) (candidates, bundle, load, conf) -> {
            TreeSet<String> sorted = new TreeSet<>(candidates);
            asked.add(sorted);
            return sorted.isEmpty() ? Optional.empty() : Optional.of(sorted.first());
        });
        LoadData load = (LoadData) Late.get(manager, "loadData");
        request.get("brokers").fields().forEachRemaining(b -> load.getBrokerData().put(b.getKey(), broker(b.getValue())));
        for (String bundle : Json.strings(request.get("bundles"))) {
            load.getBundleData().put(bundle, new BundleData(10, 1000));
        }
        @SuppressWarnings("unchecked")
        Map<String, String> domains = (Map<String, String>) Late.get(manager, "brokerToFailureDomainMap");
        request.path("domains").fields().forEachRemaining(d -> domains.put(d.getKey(), d.getValue().textValue()));
        own(manager, request.get("owned"));
        return manager;
    }

    private static void own(ModularLoadManagerImpl manager, JsonNode owned) throws Throwable {
        Map<String, Set<String>> bundles = new LinkedHashMap<>();
        owned.fields().forEachRemaining(o -> bundles.computeIfAbsent(o.getValue().textValue(), b -> new HashSet<>()).add(o.getKey()));
        Object ranges = Late.get(manager, "brokerToNamespaceToBundleRange");
        for (Map.Entry<String, Set<String>> entry : bundles.entrySet()) {
            if (Late.has(ranges.getClass(), "reloadFromBundles", 2)) {
                Late.call(ranges, "reloadFromBundles", entry.getKey(), (Stream<String>) entry.getValue().stream());
                continue;
            }
            Object map = Late.call(Late.callStatic(ranges.getClass(), "newBuilder"), "build");
            Late.callStatic(LoadManagerShared.class, "fillNamespaceToBundlesMap", entry.getValue(), map);
            Late.call(ranges, "put", entry.getKey(), map);
        }
    }

    private static BrokerData broker(JsonNode given) {
        LocalBrokerData local = new LocalBrokerData();
        local.setCpu(new ResourceUsage(given.path("cpu").asDouble(), 100));
        local.setNumTopics(given.path("topics").asInt());
        local.setPersistentTopicsEnabled(true);
        return new BrokerData(local);
    }

    @SuppressWarnings("unchecked")
    private static LockManager<LocalBrokerData> brokersData(JsonNode request) {
        List<String> names = new ArrayList<>();
        request.get("brokers").fieldNames().forEachRemaining(names::add);
        LockManager<LocalBrokerData> locks = Broker.stub(LockManager.class);
        when(locks.listLocks(any())).thenReturn(CompletableFuture.completedFuture(names));
        return locks;
    }

    private static PulsarService pulsar(JsonNode request, ServiceConfiguration config) throws Exception {
        PulsarService pulsar = Broker.stub(PulsarService.class);
        PulsarResources resources = Broker.stub(PulsarResources.class);
        NamespaceResources namespaces = Broker.stub(NamespaceResources.class);
        NamespaceResources.IsolationPolicyResources isolation = Broker.stub(NamespaceResources.IsolationPolicyResources.class);
        LocalPoliciesResources local = Broker.stub(LocalPoliciesResources.class);
        NamespaceService service = Broker.stub(NamespaceService.class);
        config.setClusterName("cluster");
        when(pulsar.getConfiguration()).thenReturn(config);
        when(pulsar.getPulsarResources()).thenReturn(resources);
        when(pulsar.getNamespaceService()).thenReturn(service);
        when(service.getNamespaceBundleFactory()).thenReturn(Broker.get().bundles);
        when(resources.getNamespaceResources()).thenReturn(namespaces);
        when(resources.getLocalPolicies()).thenReturn(local);
        when(namespaces.getIsolationPolicies()).thenReturn(isolation);
        when(isolation.getIsolationDataPolicies(any())).thenReturn(Optional.of(isolation(request)));
        when(local.getLocalPolicies(any())).thenAnswer(call -> policies(request, call.getArgument(0)));
        when(local.getLocalPoliciesAsync(any())).thenAnswer(call ->
                CompletableFuture.completedFuture(policies(request, call.getArgument(0))));
        return pulsar;
    }

    private static Optional<LocalPolicies> policies(JsonNode request, NamespaceName namespace) {
        return Optional.ofNullable(request.path("groups").path(namespace.toString()).textValue())
                .map(group -> new LocalPolicies(null, null, group));
    }

    private static NamespaceIsolationPolicies isolation(JsonNode request) {
        Map<String, NamespaceIsolationDataImpl> policies = new LinkedHashMap<>();
        for (JsonNode policy : request.path("isolation")) {
            String least = policy.path("minLimit").asText("1");
            NamespaceIsolationData data = NamespaceIsolationData.builder()
                    .namespaces(Json.strings(policy.get("namespaces")))
                    .primary(Json.strings(policy.get("primary")))
                    .secondary(Json.strings(policy.path("secondary")))
                    .autoFailoverPolicy(AutoFailoverPolicyData.builder().policyType(AutoFailoverPolicyType.min_available)
                            .parameters(Map.of("min_limit", least, "usage_threshold", "100")).build())
                    .build();
            policies.put(policy.get("name").textValue(), (NamespaceIsolationDataImpl) data);
        }
        return new NamespaceIsolationPolicies(policies);
    }
}
