package oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.common.configuration.FieldContext;
import org.apache.pulsar.common.configuration.PulsarConfigurationLoader;

/** broker.conf as a broker reads it, and the names that may stand in it. */
final class Settings {
    private Settings() {}

    static void register(Map<String, Op> ops) {
        ops.put("broker-conf", Settings::read);
        ops.put("broker-conf-names", Settings::names);
    }

    /** "text": the file; "names": settings asked for, as their getters have them; what the release lacks is left out. */
    private static Object read(JsonNode request) throws Throwable {
        byte[] bytes = request.get("text").textValue().getBytes(StandardCharsets.ISO_8859_1);
        ServiceConfiguration config = PulsarConfigurationLoader.create(new ByteArrayInputStream(bytes), ServiceConfiguration.class);
        Map<String, Object> values = new TreeMap<>();
        for (String name : Json.strings(request.get("names"))) {
            Method getter = getter(name);
            if (getter != null) {
                Object value = getter.invoke(config);
                values.put(name, value instanceof Collection<?> list ? new ArrayList<>(list) : value);
            }
        }
        return Json.map("values", values);
    }

    /** The weights of bandwidth were misspelt once, and have no getter of the right name there. */
    private static Method getter(String name) {
        for (String spelling : new String[] {name, name.replace("Bandwidth", "Bandwith")}) {
            for (String prefix : new String[] {"get", "is"}) {
                try {
                    return ServiceConfiguration.class.getMethod(prefix + Character.toUpperCase(spelling.charAt(0)) + spelling.substring(1));
                } catch (NoSuchMethodException absent) {
                    continue;
                }
            }
        }
        return null;
    }

    /** Every setting with its Java type. */
    private static Object names(JsonNode request) {
        Map<String, Object> types = new TreeMap<>();
        for (Field field : ServiceConfiguration.class.getDeclaredFields()) {
            if (field.isAnnotationPresent(FieldContext.class)) {
                types.put(field.getName(), field.getType().getSimpleName());
            }
        }
        return Json.map("types", types);
    }
}
