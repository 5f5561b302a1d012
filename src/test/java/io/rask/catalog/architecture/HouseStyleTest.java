package io.rask.catalog.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import jakarta.annotation.Resource;
import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;

/** How classes and packages look everywhere. */
@AnalyzeClasses(packages = Floors.BASE, importOptions = DoNotIncludeTests.class)
class HouseStyleTest {
    @ArchTest
    static final ArchRule namesSayWhatAThingIs =
            noClasses().should().haveNameMatching(".*(Manager|Helper|Utils?|Impl|Dto|DTO|Service)$");

    @ArchTest
    static final ArchRule nothingIsInjectedIntoFields = noFields()
            .should()
            .beAnnotatedWith(Autowired.class)
            .orShould()
            .beAnnotatedWith(Value.class)
            .orShould()
            .beAnnotatedWith(Resource.class)
            .orShould()
            .beAnnotatedWith("jakarta.inject.Inject");

    @ArchTest
    static void everyPackageIsNullMarked(JavaClasses classes) {
        List<String> unmarked = classes.getPackage(Floors.BASE).getSubpackagesInTree().stream()
                .filter(all -> !all.getClasses().isEmpty())
                .filter(all -> !all.isAnnotatedWith(NullMarked.class))
                .map(JavaPackage::getName)
                .toList();
        assertThat(unmarked)
                .as("packages without @NullMarked in their package-info")
                .isEmpty();
        assertThat(classes.getPackage(Floors.BASE).isAnnotatedWith(NullMarked.class))
                .isTrue();
    }
}
