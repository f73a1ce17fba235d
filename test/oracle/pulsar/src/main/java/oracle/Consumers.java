package oracle;

import static net.bytebuddy.matcher.ElementMatchers.named;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.dynamic.scaffold.subclass.ConstructorStrategy;
import net.bytebuddy.implementation.FieldAccessor;
import net.bytebuddy.implementation.StubMethod;
import org.apache.pulsar.broker.service.Consumer;
import org.apache.pulsar.broker.service.TransportCnx;
import org.apache.pulsar.common.api.proto.KeySharedMeta;
import org.apache.pulsar.common.api.proto.KeySharedMode;
import org.objenesis.ObjenesisStd;
import org.objenesis.instantiator.ObjectInstantiator;

/**
 * The consumers of one question, numbered from 0 in the order of their joining, so that two of one name can be told apart.
 *
 * They are objects of the broker's own class, made without its constructor, which wants a topic and a broker: all that is asked of them
 * are fields. Only their text ("#" and the number) and the telling of clients are replaced. Mocks cost a hundred times as much.
 */
final class Consumers {
    private static final Class<? extends Consumer> TYPE = type();
    private static final ObjectInstantiator<? extends Consumer> MAKER = new ObjenesisStd().getInstantiatorOf(TYPE);
    private static final TransportCnx CONNECTION = connection();

    private final List<Consumer> joined = new ArrayList<>();
    private final Map<Consumer, Integer> numbers = new IdentityHashMap<>();

    /** The consumer of a step {add: name, id?, priority?, ranges?}. */
    Consumer join(JsonNode step) throws Exception {
        Consumer consumer = MAKER.newInstance();
        int number = joined.size();
        Late.set(consumer, "text", "#" + number);
        Late.set(consumer, "cnx", CONNECTION);
        Late.set(consumer, "consumerName", step.get("add").textValue());
        Late.set(consumer, "consumerId", step.path("id").asLong(number));
        Late.set(consumer, "priorityLevel", step.path("priority").asInt());
        Late.set(consumer, "keySharedMeta", step.has("ranges") ? ranges(step.get("ranges")) : null);
        joined.add(consumer);
        numbers.put(consumer, number);
        return consumer;
    }

    Consumer get(int number) {
        return joined.get(number);
    }

    /** Null for none. */
    Integer numberOf(Consumer consumer) {
        return numbers.get(consumer);
    }

    private static KeySharedMeta ranges(JsonNode given) {
        KeySharedMeta meta = new KeySharedMeta().setKeySharedMode(KeySharedMode.STICKY);
        given.forEach(r -> meta.addHashRange().setStart(r.get(0).intValue()).setEnd(r.get(1).intValue()));
        return meta;
    }

    private static Class<? extends Consumer> type() {
        return Late.subclass(Consumer.class, ConstructorStrategy.Default.NO_CONSTRUCTORS, builder -> builder
                .defineField("text", String.class, Visibility.PUBLIC)
                .method(named("toString")).intercept(FieldAccessor.ofField("text"))
                .method(named("notifyActiveConsumerChange")).intercept(StubMethod.INSTANCE));
    }

    /** Asked whether it still lives (the only future it gives), a connection says so. */
    private static TransportCnx connection() {
        return (TransportCnx) Proxy.newProxyInstance(TransportCnx.class.getClassLoader(), new Class<?>[] {TransportCnx.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "hashCode" -> 0;
                    case "equals" -> proxy == args[0];
                    default -> method.getReturnType() == CompletableFuture.class ? CompletableFuture.completedFuture(null) : null;
                });
    }
}
